/**
 * What can be configured, and where a value comes from. Start with {@link
 * dev.laurel.server.settings.Settings}: the registry that help, environment names and files all
 * follow.
 */
@NullMarked
package dev.laurel.server.settings;

import org.jspecify.annotations.NullMarked;
