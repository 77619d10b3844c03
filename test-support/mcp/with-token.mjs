// Hands requests on with a token, for a suite that cannot be given one. Says on stderr where it listens.
// Use: node with-token.mjs URL TOKEN
import http from "node:http";

const [url, token] = process.argv.slice(2);
const target = new URL(url);
const server = http.createServer((request, response) => {
  const headers = { ...request.headers, authorization: `Bearer ${token}` };
  const { hostname, port, pathname } = target;
  const onward = http.request({ hostname, port, path: pathname, method: request.method, headers });
  onward.on("response", (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
});
server.listen(0, "127.0.0.1", () => {
  console.error(`listening on http://localhost:${server.address().port}/mcp`);
});
