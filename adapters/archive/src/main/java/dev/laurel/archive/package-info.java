/**
 * Seasons as objects: compressed blocks of JSON lines, and a manifest with their checksums. Start
 * with {@link dev.laurel.archive.ObjectArchive}; the objects are files ({@link
 * dev.laurel.archive.FolderObjects}) or in a bucket ({@link dev.laurel.archive.S3Objects}).
 */
@NullMarked
package dev.laurel.archive;

import org.jspecify.annotations.NullMarked;
