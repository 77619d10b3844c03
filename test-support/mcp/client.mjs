// The official client against a gateway: what it sees is printed as JSON, one line per step; that it waits, on stderr.
// Use: node client.mjs URL TOKEN
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [url, token] = process.argv.slice(2);
const requestInit = { headers: { Authorization: `Bearer ${token}` } };
const client = new Client({ name: "proliferate-tests", version: "1.0.0" });
const say = (step, seen) => console.log(JSON.stringify({ step, ...seen }));

await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
say("connected", { server: client.getServerVersion().name, instructions: client.getInstructions() });

const { tools } = await client.listTools();
say("listed", { tools: tools.map((tool) => tool.name) });

const read = await client.callTool({ name: "linear__list_teams", arguments: {} });
say("read", { isError: read.isError, structured: typeof read.structuredContent });

const wrong = await client.callTool({ name: "linear__create_issue", arguments: {} });
say("wrong", { isError: wrong.isError });

let heard = 0;
const onprogress = ({ message }) => {
  heard += 1;
  // The test approves when it reads this.
  if (heard === 1) console.error(`waiting: ${message}`);
};
const teamId = tools.length ? process.env.TEAM : undefined;
const write = { name: "linear__create_issue", arguments: { teamId, title: "By the client" } };
const done = await client.callTool(write, undefined, { onprogress, timeout: 60_000 });
say("written", { isError: done.isError, heard, text: done.content[0].text });

await client.close();
say("closed", {});
