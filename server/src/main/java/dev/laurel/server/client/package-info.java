/** How the verbs of the command line reach a server, by HTTP or HTTPS. */
@NullMarked
package dev.laurel.server.client;

import org.jspecify.annotations.NullMarked;
