/** The server that the tests run against, and a way to it that can be broken. Started by TypeScriptClientTest. */
import { createServer, connect } from "node:net";
import { once } from "node:events";

const { LAUREL_CLIENT, LAUREL_URL, LAUREL_KEY, LAUREL_TOKEN } = process.env;
if (!LAUREL_CLIENT) {
  throw new Error("LAUREL_CLIENT: undefined (expected: to be run by the server's TypeScriptClientTest)");
}

export const { Laurel, LiveBoard, LaurelError, applyUpdates, readEvents } = await import(LAUREL_CLIENT);
export const url = LAUREL_URL;
export const token = LAUREL_TOKEN;
export const admin = new Laurel(url, { apiKey: LAUREL_KEY });

let made = 0;

/** A public board of its own for each test. */
export async function newBoard(more = {}) {
  const UUID = `sdk-${process.pid}-${++made}`;
  await admin.call("createLeaderboard", { body: { UUID, visibility: "PUBLIC", decimals: 0, ...more } });
  return UUID;
}

/** Waits for a state, with a deadline. */
export async function until(what, reached) {
  const deadline = Date.now() + 20_000;
  while (!reached()) {
    if (Date.now() > deadline) {
      throw new Error(`not within 20 s: ${what}`);
    }
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/** A proxy in front of the server: it can cut what goes through it, refuse, or answer by itself. */
export class Proxy {
  open = new Set();
  requests = [];
  /** Gets the head of each request; an answer of its own instead of undefined is sent, and the connection ended. */
  intercept = () => undefined;

  static async start(test) {
    const proxy = new Proxy();
    test.after(() => proxy.close());
    proxy.server = createServer(socket => proxy.#connected(socket));
    proxy.server.listen(0, "127.0.0.1");
    await once(proxy.server, "listening");
    proxy.port = proxy.server.address().port;
    proxy.url = `http://127.0.0.1:${proxy.port}`;
    return proxy;
  }

  #connected(socket) {
    this.open.add(socket);
    socket.on("close", () => this.open.delete(socket));
    socket.on("error", () => {});
    let upstream = null;
    socket.on("data", bytes => {
      const text = bytes.toString("latin1");
      if (/^[A-Z]+ \//.test(text)) {
        this.requests.push(text);
        const answer = this.intercept(text);
        if (answer === null) {
          socket.destroy();
          return;
        }
        if (answer !== undefined) {
          socket.end(answer);
          return;
        }
      }
      if (!upstream) {
        const { hostname, port } = new URL(url);
        upstream = connect(Number(port), hostname);
        upstream.on("error", () => socket.destroy());
        upstream.on("close", () => socket.destroy());
        socket.on("close", () => upstream.destroy());
        upstream.pipe(socket);
      }
      upstream.write(bytes);
    });
  }

  cut() {
    this.open.forEach(socket => socket.destroy());
  }

  close() {
    this.server.close();
    this.cut();
  }
}

export function answer(status, headers = "") {
  return `HTTP/1.1 ${status} x\r\n${headers}Content-Length: 0\r\nConnection: close\r\n\r\n`;
}
