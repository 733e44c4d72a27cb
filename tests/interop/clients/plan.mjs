// What the TypeScript clients have in common: a plan comes in on stdin, and for each of its steps a line goes out.
// The same verbs, with the same words in what was seen, as `plan.py`.

import { text as whole } from "node:stream/consumers";

const LIMIT = 30_000; // milliseconds for one step

// Whoever sits at the client: gives the answers of the present step, and remembers what was asked.
class User {
  answers = [];
  asked = [];

  answer(question) {
    this.asked.push(question);
    return this.answers.shift();
  }
}

const text = (result) => result.content.map((block) => block.text).join("");

// What each request of the server is answered with: the method and the handler.
export const handlers = (user) => ({
  "elicitation/create": async ({ params }) => user.answer(params.message),
  "sampling/createMessage": async ({ params }) => {
    const [{ content }] = params.messages;
    const said = user.answer((Array.isArray(content) ? content[0] : content).text);
    return { role: "assistant", content: { type: "text", text: said }, model: "a model" };
  },
  "roots/list": async () => ({ roots: user.answer("roots").map((uri) => ({ uri })) }),
});

export const capabilities = (user) => (user ? { elicitation: {}, sampling: {}, roots: {} } : {});

// The verbs of a plan. `call` is the client's `callTool`, whose options stand elsewhere in each generation.
const verbs = ({ client, call, version, user }) => ({
  version: async () => version,
  tools: async () => (await client.listTools()).tools,
  call: async (params) => {
    const result = await call(params);
    return {
      text: text(result),
      value: result.structuredContent ?? null,
      error: result.isError ?? false,
      data: result._meta?.["accord/errorData"] ?? null,
      asked: user ? user.asked : [],
    };
  },
  during: async ({ name, arguments: given, reports, meanwhile, cancel }) => {
    const progress = [];
    const aborted = new AbortController();
    let told;
    const reported = new Promise((resolve) => (told = resolve));
    const onprogress = ({ progress: done, total, message }) => {
      progress.push([done, total ?? null, message ?? null]);
      if (progress.length === reports) told();
    };
    const ending = call({ name, arguments: given }, { onprogress, signal: aborted.signal }).then(text, (error) => {
      if (!aborted.signal.aborted) throw error;
      return "cancelled";
    });
    // A call that fails before it has reported enough fails the step.
    await Promise.race([reported, ending]);
    const other = text(await call(meanwhile));
    if (cancel) aborted.abort();
    return { progress, meanwhile: other, ended: await ending };
  },
  resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
  templates: async () => (await client.listResourceTemplates()).resourceTemplates.map((entry) => entry.uriTemplate),
  read: async ({ uri }) => (await client.readResource({ uri })).contents[0].text,
  prompts: async () =>
    (await client.listPrompts()).prompts.map(({ name, arguments: parameters }) => ({
      name,
      arguments: parameters.map((parameter) => parameter.name),
    })),
  prompt: async (params) => (await client.getPrompt(params)).messages[0].content.text,
  complete: async ({ prompt, argument, value }) => {
    const ref = { type: "ref/prompt", name: prompt };
    return (await client.complete({ ref, argument: { name: argument, value } })).completion.values;
  },
});

const within = (promise) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing for ${LIMIT} ms`)), LIMIT);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

// Hold every conversation of the plan, each on a connection of its own.
export const follow = async (connect, ProtocolError) => {
  const { server, conversations } = JSON.parse(await whole(process.stdin));
  for (const { era, user: present, steps } of conversations) {
    const user = present ? new User() : null;
    const connection = await connect(server, era, user);
    const can = verbs({ ...connection, user });
    for (const { says, verb, given } of steps) {
      const { answers = [], ...params } = given;
      if (user) Object.assign(user, { answers, asked: [] });
      const saw = await within(can[verb](params)).catch((error) =>
        error instanceof ProtocolError
          ? { code: error.code, data: error.data ?? null }
          : { raised: `${error.name}: ${error.message}` },
      );
      console.log(JSON.stringify({ era, says, saw }));
    }
    await connection.client.close();
  }
};
