package dev.laurel.core.store;

import dev.laurel.core.model.Rejection;

/**
 * Something of a stream that a board refused, kept until it is settled: whoever takes the stream
 * again after a crash hears the same, and makes a dead letter of it.
 */
public record SourceRefusal(SourcePartition source, long offset, Rejection rejection) {}
