// A client on the official TypeScript SDK, generation 2, which speaks both eras.

import { Client, ProtocolError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { capabilities, follow, handlers } from "./plan.mjs";

const MODES = { handshake: "legacy", stateless: "auto" };

const connect = async (server, era, user) => {
  const client = new Client(
    { name: "interop", version: "1.0.0" },
    { capabilities: capabilities(user), versionNegotiation: { mode: MODES[era] } },
  );
  for (const [method, handler] of user ? Object.entries(handlers(user)) : []) {
    client.setRequestHandler(method, handler);
  }
  const transport = server.http
    ? new StreamableHTTPClientTransport(new URL(server.http.url))
    : new StdioClientTransport(server.stdio);
  await client.connect(transport);
  const call = (params, options) => client.callTool(params, options);
  return { client, call, version: client.getNegotiatedProtocolVersion() };
};

await follow(connect, ProtocolError);
