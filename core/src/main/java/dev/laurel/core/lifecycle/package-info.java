/**
 * What the clock does to seasons: they are made, started, ended, frozen, and their final ranks are
 * written, each once, whichever node does it; later they go to the archive. Start with {@link
 * dev.laurel.core.lifecycle.SeasonKeeper}; what is due is decided in {@link
 * dev.laurel.core.season.SeasonPlan}.
 */
@NullMarked
package dev.laurel.core.lifecycle;

import org.jspecify.annotations.NullMarked;
