// A client on the official TypeScript SDK, generation 1, which speaks the handshake era only.

import assert from "node:assert";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import { capabilities, follow, handlers } from "./plan.mjs";

const SCHEMAS = {
  "elicitation/create": ElicitRequestSchema,
  "sampling/createMessage": CreateMessageRequestSchema,
  "roots/list": ListRootsRequestSchema,
};

// The transport is told which version was agreed on; the client does not tell its user.
class Stdio extends StdioClientTransport {
  setProtocolVersion(version) {
    this.version = version;
  }
}

class Http extends StreamableHTTPClientTransport {
  setProtocolVersion(version) {
    super.setProtocolVersion(version);
    this.version = version;
  }
}

const connect = async (server, era, user) => {
  assert.equal(era, "handshake");
  const client = new Client({ name: "interop", version: "1.0.0" }, { capabilities: capabilities(user) });
  for (const [method, handler] of user ? Object.entries(handlers(user)) : []) {
    client.setRequestHandler(SCHEMAS[method], handler);
  }
  const transport = server.http ? new Http(new URL(server.http.url)) : new Stdio(server.stdio);
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, undefined, options);
  return { client, call, version: transport.version };
};

await follow(connect, McpError);
