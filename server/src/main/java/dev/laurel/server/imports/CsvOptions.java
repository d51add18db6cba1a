package dev.laurel.server.imports;

/**
 * How a CSV is read.
 *
 * @param ignoreExtra whether columns that are not known are skipped
 * @param spreadsheet whether the ids of an export have been made safe for spreadsheets ({@link
 *     CsvText}), as they are unless somebody asked for them as they are; files that are no export
 *     have their ids as they are
 */
public record CsvOptions(boolean ignoreExtra, boolean spreadsheet) {}
