/**
 * The path of a score, the same for every way in: validate, route, score, commit in groups, index,
 * live. Start with {@link dev.laurel.core.pipeline.ScorePipeline}, then {@link
 * dev.laurel.core.pipeline.CommitBatch}, which is one transaction from top to bottom.
 */
@NullMarked
package dev.laurel.core.pipeline;

import org.jspecify.annotations.NullMarked;
