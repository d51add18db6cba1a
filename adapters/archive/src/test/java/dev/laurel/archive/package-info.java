/** Seasons into the archive and back, on files and on S3. */
@NullMarked
package dev.laurel.archive;

import org.jspecify.annotations.NullMarked;
