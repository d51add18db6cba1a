package dev.laurel.core.store;

/**
 * What the store keeps of a season's archive.
 *
 * @param archivedAt when it was written and found complete, epoch milliseconds
 * @param users how many entries it holds
 * @param bytes of all its objects
 * @param digest SHA-256 of its manifest, in hexadecimal: the manifest has those of all else, so
 *     nothing in the archive can change unseen
 * @param revision of the configuration when its first row was read: who was erased later is in it
 *     under the id of before
 */
public record ArchiveRecord(
    long season, long archivedAt, long users, long bytes, String digest, long revision) {}
