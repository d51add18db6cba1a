import { OPERATIONS } from "./api.js";
import { LaurelError, LiveBoard } from "./live.js";
const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 10_000;
/**
 * A thin client: `call` reaches every operation of the API by its name, with types; the other methods are those that most
 * programs need. Calls that the server could not take (429, 502, 503, 504, no connection) are repeated, a write always
 * under the key it was first sent with, so that it counts once however often it arrives.
 */
export class Laurel {
    #server;
    #options;
    /** One function: boards that are watched with it share a connection. */
    #headers = () => this.#credentials();
    constructor(server, options = {}) {
        this.#server = new URL(server);
        this.#options = options;
    }
    /** Points for an action of the user whose token it is; the rules on the server say how many. */
    award(actionType, actionId, more = {}) {
        const { board, key } = more;
        return this.call("award", { ...(board === undefined ? {} : { board }), body: { action_type: actionType, action_id: actionId } }, key);
    }
    /** A user's score, by the board's own rule. */
    score(UUID, userId, score, key) {
        return this.call("putScore", { UUID, userId, body: { score } }, key);
    }
    /** Up to 1,000 scores at once, and what became of each, by outcome. */
    async scores(UUID, lines, key) {
        const { results } = await this.call("postScores", { UUID, body: { scores: lines } }, key);
        const outcome = { APPLIED: [], UNCHANGED: [], DUPLICATE: [], HELD: [], REJECTED: [] };
        results.forEach((result, line) => outcome[result.outcome].push({ ...result, line }));
        return outcome;
    }
    top(UUID, limit = 10, which = {}) {
        return this.call("top", { UUID, limit, ...which, ...this.#tenant() });
    }
    rank(UUID, userId, which = {}) {
        return this.call("rank", { UUID, userId, ...which, ...this.#tenant() });
    }
    around(UUID, userId, window = 5, which = {}) {
        return this.call("around", { UUID, userId, window, ...which, ...this.#tenant() });
    }
    /** A board that moves by itself: `onChange` gets each new state, until `close()` is called. */
    watch(board, onChange, more = {}) {
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
    async call(operation, input, key) {
        const { method, path, query, isWrite } = OPERATIONS[operation];
        const values = input;
        const url = new URL(path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(values[name]))), this.#server);
        for (const name of query) {
            if (values[name] !== undefined) {
                url.searchParams.set(name, String(values[name]));
            }
        }
        const headers = isWrite ? { "Idempotency-Key": key ?? crypto.randomUUID() } : {};
        const request = { method, headers };
        if (values["body"] !== undefined) {
            headers["Content-Type"] = "application/json";
            request.body = JSON.stringify(values["body"]);
        }
        return (await this.#repeat(url, request));
    }
    async #repeat(url, request) {
        const attempts = this.#options.attempts ?? 5;
        for (let attempt = 1;; attempt++) {
            try {
                return await this.#once(url, request);
            }
            catch (e) {
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
    async #once(url, request) {
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
    async #credentials() {
        const { apiKey, token } = this.#options;
        if (apiKey !== undefined) {
            return { "X-API-Key": apiKey };
        }
        return token === undefined
            ? {}
            : { Authorization: `Bearer ${typeof token === "function" ? await token() : token}` };
    }
    #tenant() {
        const { tenant } = this.#options;
        return tenant === undefined ? {} : { tenant };
    }
}
function isWorthRepeating({ status }) {
    return status === 0 || status === 429 || (status >= 502 && status <= 504);
}
