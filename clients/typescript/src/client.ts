import { OPERATIONS, type LineResult, type Operations, type Outcome, type ScoreLine } from "./api.js";
import { LaurelError, LiveBoard, type LiveOptions, type LiveStandings } from "./live.js";

/** How to talk to a server. Without a key or a token only public boards can be read. */
export interface LaurelOptions {
  /** A service's key. */
  apiKey?: string;
  /** A user's token, or what fetches a fresh one: it is asked before every call. */
  token?: string | (() => string | Promise<string>);
  /** Whose boards, for calls without a key that are not about the tenant `default`. */
  tenant?: string;
  /** How often a call is made at most (5), and how long one of them may take (10,000 ms). */
  attempts?: number;
  timeout?: number;
  fetch?: typeof fetch;
}

/** Which season of a board: the running one of its first window if nothing is said. */
export interface Which {
  period?: string;
  season?: string;
  at?: string;
}

/**
 * The lines of a batch by what became of them; `line` is the place in what was sent, from 0. Only REJECTED lines may be mended and
 * sent again: HELD ones are in, and wait until somebody has looked at them.
 */
export type BatchOutcome = Record<Outcome, Array<LineResult & { line: number }>>;

type Id = keyof Operations;
type Input<K extends Id> = Operations[K]["input"];
type Answer<K extends Id> = Operations[K]["answer"];

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;

/**
 * A thin client: `call` reaches every operation of the API by its name, with types; the other methods are those that most
 * programs need. Calls that the server could not take (429, 502, 503, 504, no connection) are repeated, a write always
 * under the key it was first sent with, so that it counts once however often it arrives.
 */
export class Laurel {
  readonly #server: URL;
  readonly #options: LaurelOptions;
  /** One function: boards that are watched with it share a connection. */
  readonly #headers = () => this.#credentials();

  constructor(server: string | URL, options: LaurelOptions = {}) {
    this.#server = new URL(server);
    this.#options = options;
  }

  /** Points for an action of the user whose token it is; the rules on the server say how many. */
  award(
    actionType: string,
    actionId: string,
    more: { board?: string; key?: string } = {},
  ): Promise<Answer<"award">> {
    const { board, key } = more;
    return this.call(
      "award",
      { ...(board === undefined ? {} : { board }), body: { action_type: actionType, action_id: actionId } },
      key,
    );
  }

  /** A user's score, by the board's own rule. */
  score(UUID: string, userId: string, score: number, key?: string): Promise<Answer<"putScore">> {
    return this.call("putScore", { UUID, userId, body: { score } }, key);
  }

  /** Up to 1,000 scores at once, and what became of each, by outcome. */
  async scores(UUID: string, lines: ScoreLine[], key?: string): Promise<BatchOutcome> {
    const { results } = await this.call("postScores", { UUID, body: { scores: lines } }, key);
    const outcome: BatchOutcome = { APPLIED: [], UNCHANGED: [], DUPLICATE: [], HELD: [], REJECTED: [] };
    results.forEach((result, line) => outcome[result.outcome].push({ ...result, line }));
    return outcome;
  }

  top(UUID: string, limit = 10, which: Which = {}): Promise<Answer<"top">> {
    return this.call("top", { UUID, limit, ...which, ...this.#tenant() });
  }

  rank(UUID: string, userId: string, which: Which = {}): Promise<Answer<"rank">> {
    return this.call("rank", { UUID, userId, ...which, ...this.#tenant() });
  }

  around(UUID: string, userId: string, window = 5, which: Which = {}): Promise<Answer<"around">> {
    return this.call("around", { UUID, userId, window, ...which, ...this.#tenant() });
  }

  /** A board that moves by itself: `onChange` gets each new state, until `close()` is called. */
  watch(
    board: string,
    onChange: (standings: LiveStandings) => void,
    more: Partial<LiveOptions> = {},
  ): LiveBoard {
    const { fetch } = this.#options;
    return new LiveBoard({
      ...(fetch ? { fetch } : {}),
      ...this.#tenant(),
      headers: this.#headers,
      ...more,
      server: this.#server,
      board,
      onChange,
    });
  }

  /**
   * Any operation of the API, by its operationId.
   *
   * @param input its parameters, and its body as `body`
   * @param key the Idempotency-Key of a write, if it shall outlive this call
   */
  async call<K extends Id>(operation: K, input: Input<K>, key?: string): Promise<Answer<K>> {
    const { method, path, query, isWrite } = OPERATIONS[operation];
    const values = input as Record<string, unknown>;
    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name]))),
      this.#server,
    );
    for (const name of query) {
      if (values[name] !== undefined) {
        url.searchParams.set(name, String(values[name]));
      }
    }
    const headers: Record<string, string> = isWrite ? { "Idempotency-Key": key ?? crypto.randomUUID() } : {};
    const request: RequestInit = { method, headers };
    if (values["body"] !== undefined) {
      headers["Content-Type"] = "application/json";
      request.body = JSON.stringify(values["body"]);
    }
    return (await this.#repeat(url, request)) as Answer<K>;
  }

  async #repeat(url: URL, request: RequestInit): Promise<unknown> {
    const attempts = this.#options.attempts ?? 5;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#once(url, request);
      } catch (e) {
        const problem = e instanceof LaurelError ? e : new LaurelError(0, "NOT_REACHED", String(e));
        if (attempt >= attempts || !isWorthRepeating(problem)) {
          throw problem;
        }
        // Somewhere below a bound that doubles, so that callers who failed together do not come back together.
        const pause = Math.random() * Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** attempt);
        await new Promise(resolve => setTimeout(resolve, Math.max(pause, problem.retryAfter)));
      }
    }
  }

  async #once(url: URL, request: RequestInit): Promise<unknown> {
    const answer = await (this.#options.fetch ?? fetch)(url, {
      ...request,
      headers: { ...request.headers, ...(await this.#credentials()) },
      signal: AbortSignal.timeout(this.#options.timeout ?? 10_000),
    });
    if (!answer.ok) {
      throw await LaurelError.of(answer);
    }
    const text = await answer.text();
    return answer.headers.get("Content-Type")?.startsWith("application/json") ? JSON.parse(text) : text;
  }

  async #credentials(): Promise<Record<string, string>> {
    const { apiKey, token } = this.#options;
    if (apiKey !== undefined) {
      return { "X-API-Key": apiKey };
    }
    return token === undefined
      ? {}
      : { Authorization: `Bearer ${typeof token === "function" ? await token() : token}` };
  }

  #tenant(): { tenant?: string } {
    const { tenant } = this.#options;
    return tenant === undefined ? {} : { tenant };
  }
}

function isWorthRepeating({ status }: LaurelError): boolean {
  return status === 0 || status === 429 || (status >= 502 && status <= 504);
}
