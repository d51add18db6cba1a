/**
 * The port to where seasons are kept after they are over: a few objects each, written once, read in
 * parts. Start with {@link dev.laurel.core.archive.Archive}; who writes to it, and when, is in
 * {@link dev.laurel.core.lifecycle.SeasonArchiver}.
 */
@NullMarked
package dev.laurel.core.archive;

import org.jspecify.annotations.NullMarked;
