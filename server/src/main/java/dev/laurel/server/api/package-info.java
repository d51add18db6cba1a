/**
 * The HTTP surfaces: thin translations between the documents' JSON and the core. Start with {@link
 * dev.laurel.server.api.ApiRoutes}, the table of contents.
 */
@NullMarked
package dev.laurel.server.api;

import org.jspecify.annotations.NullMarked;
