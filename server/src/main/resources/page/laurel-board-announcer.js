/**
 * Tells a screen reader what matters, and not more often than one can listen to: the viewer's own rank and who leads, if
 * they changed, at most every ten seconds. What is on the board at first is read from the table.
 */
const QUIET_MILLIS = 10_000;

export class Announcer {
  #region;
  #told = null;
  #latest = null;
  #timer = 0;
  #toldAt = -QUIET_MILLIS;

  /**
   * @param region an element with the role status
   */
  constructor(region) {
    this.#region = region;
  }

  clear() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#told = null;
    this.#region.textContent = "";
  }

  /**
   * @param own the viewer's entry; null if there is none, undefined while that is not known
   */
  consider(leader, own, rows) {
    this.#latest = {
      leader: leader?.userId,
      rank: own === undefined ? undefined : (own?.rank ?? null),
      leads: leader && `${leader.displayName ?? leader.userId} leads with ${rows.score(leader.score)}.`,
    };
    if (this.#told === null) {
      this.#told = this.#latest;
    } else if (this.#told.rank === undefined) {
      this.#told.rank = this.#latest.rank;
    } else if (!this.#timer && this.#news()) {
      this.#timer = setTimeout(() => this.#tell(), Math.max(0, this.#toldAt + QUIET_MILLIS - performance.now()));
    }
  }

  #news() {
    const { leader, rank, leads } = this.#latest;
    const news = [];
    if (typeof rank === "number" && rank !== this.#told.rank) {
      news.push(`You are now number ${rank}.`);
    }
    if (leads && leader !== this.#told.leader) {
      news.push(leads);
    }
    return news.join(" ");
  }

  #tell() {
    this.#timer = 0;
    const news = this.#news();
    if (news) {
      this.#region.textContent = news;
      this.#told = this.#latest;
      this.#toldAt = performance.now();
    }
  }
}
