package dev.laurel.core.time;

/** Tells of a clock that somebody else has read, such as a database's, whether to believe it. */
public interface TimeJudge {
  /** Believes everything. */
  TimeJudge BELIEVING =
      new TimeJudge() {
        @Override
        public long asking() {
          return 0;
        }

        @Override
        public Moment judge(long read, long asked) {
          return Moment.of(read);
        }
      };

  /** To be called before the clock is read: the answer may be long on its way. */
  long asking();

  /**
   * @param read what the clock says, in epoch milliseconds
   * @param asked what {@link #asking} said before
   */
  Moment judge(long read, long asked);
}
