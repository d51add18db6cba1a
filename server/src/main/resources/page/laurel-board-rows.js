/** The rows of a board: keyed by user, moved in place, and let glide from where they were seen last. */

const GLIDE = { duration: 450, easing: "cubic-bezier(.2, .8, .2, 1)" };

/** How long a row shows by how many places it moved. */
const MARK_MILLIS = 4000;

const calm = matchMedia("(prefers-reduced-motion: reduce)");

export class BoardRows {
  /** As the board counts; numbers of up to three decimals are written with all of them, so that they align. */
  decimals = 0;
  #body;
  #foot;
  #rows = new Map();
  #ownRow = null;

  constructor(body, foot) {
    this.#body = body;
    this.#foot = foot;
  }

  get wholeNumbers() {
    return numbers(document.documentElement.lang, 0);
  }

  score(value) {
    return numbers(document.documentElement.lang, this.decimals).format(value);
  }

  clear() {
    this.#rows.clear();
    this.#body.replaceChildren();
    this.#foot.replaceChildren();
    this.#ownRow = null;
  }

  /**
   * @param user whose board this is, null for nobody's
   * @param own their entry, in the list or not; null if they have none, undefined while that is not known
   */
  show(entries, user, own) {
    const glide = !calm.matches && this.#rows.size > 0;
    // All that is measured is measured before anything changes, and again after: two layouts, however many rows.
    const seenAt = new Map();
    if (glide) {
      for (const [id, row] of this.#rows) {
        seenAt.set(id, row.element.getBoundingClientRect().top);
      }
    }
    const gone = new Set(this.#rows.keys());
    entries.forEach((entry, index) => {
      gone.delete(entry.userId);
      let row = this.#rows.get(entry.userId);
      if (!row) {
        row = new Row();
        this.#rows.set(entry.userId, row);
      }
      row.show(entry, entry.userId === user, this.score(entry.score), glide);
      const there = this.#body.children[index];
      if (there !== row.element) {
        this.#body.insertBefore(row.element, there ?? null);
      }
    });
    for (const id of gone) {
      this.#rows.get(id).element.remove();
      this.#rows.delete(id);
    }
    this.#showOwn(entries, user, own);
    if (glide) {
      this.#glide(seenAt);
    }
  }

  /** The viewer's own row, below the list, if it is not in it. */
  #showOwn(entries, user, own) {
    if (user === null || entries.some(entry => entry.userId === user)) {
      this.#foot.replaceChildren();
      this.#ownRow = null;
      return;
    }
    if (!this.#ownRow) {
      this.#ownRow = new Row();
      this.#foot.replaceChildren(this.#ownRow.element);
    }
    const text = own ? this.score(own.score) : own === null ? "not on this board" : "";
    // Who is not there may be mistyped: nobody is told that this is them.
    this.#ownRow.show(own ?? { userId: user }, own !== null, text, true);
    this.#ownRow.element.part.add("outside");
  }

  #glide(seenAt) {
    for (const row of this.#rows.values()) {
      row.gliding?.cancel();
    }
    const moves = [];
    for (const [id, row] of this.#rows) {
      const before = seenAt.get(id);
      const now = row.element.getBoundingClientRect().top;
      if (before === undefined) {
        moves.push([row, [{ opacity: 0 }, { opacity: 1 }]]);
      } else if (Math.abs(before - now) > 1) {
        moves.push([row, [{ transform: `translateY(${before - now}px)` }, { transform: "none" }]]);
      }
    }
    for (const [row, frames] of moves) {
      row.gliding = row.element.animate(frames, GLIDE);
    }
  }
}

class Row {
  element = document.createElement("tr");
  gliding = null;
  #rank = cell("td", "rank");
  #place = document.createElement("span");
  #move = document.createElement("span");
  #player = cell("th", "player");
  #name = document.createElement("span");
  #you = document.createElement("span");
  #score = cell("td", "score");
  #shown = { rank: undefined, score: undefined };
  #mark = 0;

  constructor() {
    this.element.part = "row";
    this.#player.scope = "row";
    this.#place.part = "place";
    this.#move.part = "move";
    // What moved is told by the announcer, in words and not row by row.
    this.#move.ariaHidden = "true";
    this.#name.part = "name";
    this.#you.part = "you";
    this.#rank.append(this.#place, this.#move);
    const who = document.createElement("span");
    who.part = "who";
    who.append(this.#name, " ", this.#you);
    this.#player.append(who);
    this.element.append(this.#rank, this.#player, this.#score);
  }

  show({ userId, displayName, rank, score }, isOwn, scoreText, isChange) {
    set(this.#place, rank === undefined ? "–" : String(rank));
    set(this.#name, readable(displayName ?? userId));
    set(this.#you, isOwn ? "you" : "");
    set(this.#score, scoreText);
    this.#name.title = readable(userId);
    this.element.dataset.user = userId;
    this.element.part.toggle("own", isOwn);
    this.element.dataset.rank = String(rank ?? "");
    const before = this.#shown;
    if (isChange && before.rank !== undefined && rank !== undefined && before.rank !== rank) {
      this.#moved(before.rank - rank);
    }
    if (isChange && before.score !== undefined && before.score !== score && !calm.matches) {
      this.#score.animate([{ color: "var(--_accent)", offset: 0 }], 1200);
    }
    this.#shown = { rank, score };
  }

  #moved(places) {
    this.#move.dataset.way = places > 0 ? "up" : "down";
    set(this.#move, `${places > 0 ? "▲" : "▼"}${Math.abs(places)}`);
    clearTimeout(this.#mark);
    this.#mark = setTimeout(() => set(this.#move, ""), MARK_MILLIS);
  }
}

function cell(kind, part) {
  const element = document.createElement(kind);
  element.part = part;
  return element;
}

/** Ids are what services send: marks that turn the direction of text could make one look like another. */
function readable(text) {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** A text that is the same is not touched: at 1,000 changes a second that is most of them. */
function set(element, text) {
  if (element.textContent !== text) {
    element.textContent = text;
  }
}

const formats = new Map();

function numbers(language, decimals) {
  const key = `${language} ${decimals}`;
  let format = formats.get(key);
  if (!format) {
    format = new Intl.NumberFormat(language || undefined, {
      minimumFractionDigits: decimals <= 3 ? decimals : 0,
      maximumFractionDigits: decimals,
    });
    formats.set(key, format);
  }
  return format;
}
