package dev.laurel.server.settings;

/** Whether lines of the ledger are removed when all their seasons are in the archive only. */
public enum Pruning {
  KEEP,
  PRUNE
}
