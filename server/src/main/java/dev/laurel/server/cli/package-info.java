/**
 * The command line. Start with {@link dev.laurel.server.cli.CommandTree}; each verb is a class of
 * its own.
 */
@NullMarked
package dev.laurel.server.cli;

import org.jspecify.annotations.NullMarked;
