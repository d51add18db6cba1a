/*
 * <laurel-board board="arcade" top="10" user="ada"></laurel-board>: a live leaderboard on any page.
 *
 * Attributes: board (its UUID), server (where this script is from, if absent), top (1..100), user (whose row stays in
 * sight), period, season, tenant, theme (auto, light or dark). Properties for private boards: headers, ticket (see
 * LiveOptions). Events: laurel-change with the standings, laurel-state with {state, problem}. Colours and type are custom
 * properties (--laurel-accent and so on, see laurel-board-style.js), the pieces are parts.
 */
import { LiveBoard } from "./laurel-live.js";
import { sheet } from "./laurel-board-style.js";
import { Announcer } from "./laurel-board-announcer.js";
import { BoardRows } from "./laurel-board-rows.js";

const WATCHED = ["server", "board", "top", "user", "period", "season", "tenant"];
const SLEEP_MILLIS = 5_000;
const STATES = {
  connecting: "Connecting",
  live: "Live",
  polling: "Updated every few seconds",
  offline: "Offline, trying again",
};

const SKELETON = `
  <div part="header">
    <h2 part="title" id="title"></h2>
    <p part="state" data-state="connecting"><span part="dot" aria-hidden="true"></span><span id="state">Connecting</span></p>
  </div>
  <table aria-labelledby="title" part="table">
    <thead><tr><th scope="col" part="head rank">Rank</th><th scope="col" part="head player">Player</th>
      <th scope="col" part="head score">Score</th></tr></thead>
    <tbody></tbody>
    <tfoot></tfoot>
  </table>
  <p part="message" hidden></p>
  <p part="total"></p>
  <p role="status" class="unseen"></p>`;

export class LaurelBoard extends HTMLElement {
  static observedAttributes = WATCHED;

  #access = {};
  #root = this.attachShadow({ mode: "open" });
  #streams = [];
  #standings = null;
  /** The viewer's entry; null if there is none, undefined while that is not known. */
  #own;
  #connection = { state: "connecting", problem: null };
  #frame = 0;
  #restarting = false;
  #sleep = 0;
  #rows;
  #announcer;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [sheet];
    this.#root.innerHTML = SKELETON;
    this.#rows = new BoardRows(this.#root.querySelector("tbody"), this.#root.querySelector("tfoot"));
    this.#announcer = new Announcer(this.#root.querySelector("[role=status]"));
    for (const name of ["headers", "ticket"]) {
      // Set before this script was here: on the element itself, where it would hide the accessor.
      const early = this[name];
      delete this[name];
      this.#access[name] = early;
    }
  }

  /** Headers for a private board. */
  set headers(headers) {
    this.#access.headers = headers;
    this.#restart();
  }

  /** A function that fetches a ticket for a private board. */
  set ticket(ticket) {
    this.#access.ticket = ticket;
    this.#restart();
  }

  connectedCallback() {
    document.addEventListener("visibilitychange", this.#looked);
    this.#restart();
    this.#looked();
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.#looked);
    clearTimeout(this.#sleep);
    this.#stop();
  }

  /**
   * A browser has six connections to a server for all its tabs, so those that nobody looks at give theirs back: also one
   * that was opened behind another, once it has something to show.
   */
  #looked = () => {
    clearTimeout(this.#sleep);
    if (document.visibilityState === "hidden") {
      this.#sleep = setTimeout(() => this.#doze(), SLEEP_MILLIS);
    } else if (this.#streams.length === 0 && !this.#restarting) {
      this.#watch();
    }
  };

  #doze() {
    this.#stop();
    this.#connected("connecting", null);
  }

  attributeChangedCallback(name, before, after) {
    if (before !== after && this.isConnected) {
      this.#restart();
    }
  }

  /** What is shown: season, total and entries; null before the first answer. */
  get standings() {
    return this.#standings;
  }

  get state() {
    return this.#connection.state;
  }

  /** Several attributes that change at once are one restart. */
  #restart() {
    if (this.#restarting) {
      return;
    }
    this.#restarting = true;
    queueMicrotask(() => {
      this.#restarting = false;
      this.#stop();
      if (this.isConnected) {
        this.#start();
        this.#looked();
      }
    });
  }

  #stop() {
    this.#streams.forEach(stream => stream.close());
    this.#streams = [];
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
  }

  #start() {
    const board = this.getAttribute("board");
    this.#standings = null;
    this.#own = undefined;
    this.#rows.clear();
    this.#announcer.clear();
    this.#title(board ?? "");
    this.#watch();
    this.#draw();
    if (board) {
      this.#describe(board);
    }
  }

  get #server() {
    return this.getAttribute("server") ?? import.meta.url;
  }

  #watch() {
    const board = this.getAttribute("board");
    if (!board) {
      return;
    }
    const options = { server: this.#server, board, ...this.#access };
    for (const name of ["period", "season", "tenant"]) {
      options[name] = this.getAttribute(name) || undefined;
    }
    this.#streams.push(
      new LiveBoard({
        ...options,
        top: Number(this.getAttribute("top")) || 10,
        onChange: standings => this.#changed(standings),
        onState: (state, problem) => this.#connected(state, problem),
      }),
    );
    const user = this.getAttribute("user");
    if (user) {
      const onChange = standings => {
        this.#own = standings.entries.find(entry => entry.userId === user) ?? standings.user ?? null;
        this.#draw();
      };
      this.#streams.push(new LiveBoard({ ...options, user, window: 0, onChange }));
    }
  }

  /** The board's name and how its scores are written; a board that does not tell is shown all the same. */
  async #describe(board) {
    try {
      const url = new URL(`/api/v1/leaderboards/${encodeURIComponent(board)}`, this.#server);
      if (this.getAttribute("tenant")) {
        url.searchParams.set("tenant", this.getAttribute("tenant"));
      }
      const answer = await fetch(url, { headers: this.#access.headers ?? {} });
      if (answer.ok && board === this.getAttribute("board")) {
        const { name, decimals } = await answer.json();
        this.#title(name);
        this.#rows.decimals = decimals;
        this.#draw();
      }
    } catch {
      // Not reached; the state says so.
    }
  }

  #title(text) {
    this.#root.getElementById("title").textContent = text;
  }

  #changed(standings) {
    this.#standings = standings;
    this.#draw();
    this.#tell("laurel-change", standings);
  }

  #connected(state, problem) {
    this.#connection = { state, problem };
    this.#draw();
    this.#tell("laurel-state", { state, problem });
  }

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }

  /** However much comes in, it is drawn once a frame, and not at all while nobody can see it. */
  #draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#drawNow();
    });
  }

  #drawNow() {
    const { state, problem } = this.#connection;
    const standings = this.#standings;
    const user = this.getAttribute("user") || null;
    const refused = state === "offline" && problem?.isFinal === true;
    const stateLine = this.#root.querySelector("[part=state]");
    stateLine.dataset.state = state;
    this.#root.getElementById("state").textContent = refused ? "Not shown" : STATES[state];

    const message = refused
      ? refusal(problem)
      : standings?.entries.length === 0
        ? "No scores yet. The first one will appear here."
        : "";
    const messageLine = this.#root.querySelector("[part=message]");
    messageLine.textContent = message;
    messageLine.hidden = message === "";
    const table = this.#root.querySelector("table");
    table.hidden = message !== "";
    table.setAttribute("aria-busy", String(standings === null && !refused));
    this.#root.querySelector("[part=total]").textContent =
      refused || !standings?.total ? "" : players(standings.total, this.#rows.wholeNumbers);
    if (standings && !refused) {
      const listed = standings.entries.find(entry => entry.userId === user);
      const own = user === null ? null : (listed ?? this.#own);
      this.#rows.show(standings.entries, user, own);
      this.#announcer.consider(standings.entries[0], own, this.#rows);
    }
  }
}

function players(total, format) {
  return total === 1 ? "1 player" : `${format.format(total)} players`;
}

function refusal({ status, code, message }) {
  if (code === "PERIOD_NOT_FOUND" || code === "SEASON_NOT_FOUND") {
    return "This season does not exist.";
  }
  if (status === 401 || status === 403 || status === 404) {
    return "There is no such board, or it is not public.";
  }
  return `This board cannot be shown: ${message}`;
}

if (!customElements.get("laurel-board")) {
  customElements.define("laurel-board", LaurelBoard);
}
