package dev.laurel.sql;

import dev.laurel.core.model.LedgerLine.Kind;
import dev.laurel.core.model.Update;
import dev.laurel.core.store.Profile;

/**
 * The numbers that stand for names in the ledger, the one table large enough for it to matter. They
 * are written out, so that reordering an enum cannot rewrite history.
 */
final class Codes {
  private Codes() {}

  static int of(Kind kind) {
    return switch (kind) {
      case SCORE -> 0;
      case DELETE -> 1;
      case REVERT -> 2;
      case HOLD -> 3;
      case RELEASE -> 4;
      case ERASE -> 7;
    };
  }

  static Kind kind(int code) {
    return switch (code) {
      case 0 -> Kind.SCORE;
      case 1 -> Kind.DELETE;
      case 2 -> Kind.REVERT;
      case 3 -> Kind.HOLD;
      case 4 -> Kind.RELEASE;
      case 7 -> Kind.ERASE;
      default -> throw new IllegalStateException("kind: " + code + " (expected: a stored kind)");
    };
  }

  static int of(Profile.State state) {
    return switch (state) {
      case KEPT -> 0;
      case ERASING -> 1;
      case ERASED -> 2;
    };
  }

  static Profile.State state(int code) {
    return switch (code) {
      case 0 -> Profile.State.KEPT;
      case 1 -> Profile.State.ERASING;
      case 2 -> Profile.State.ERASED;
      default -> throw new IllegalStateException("state: " + code + " (expected: 0..2)");
    };
  }

  static int of(Update mode) {
    return switch (mode) {
      case BEST -> 0;
      case LATEST -> 1;
      case SUM -> 2;
    };
  }

  static Update mode(int code) {
    return switch (code) {
      case 0 -> Update.BEST;
      case 1 -> Update.LATEST;
      case 2 -> Update.SUM;
      default -> throw new IllegalStateException("mode: " + code + " (expected: 0..2)");
    };
  }
}
