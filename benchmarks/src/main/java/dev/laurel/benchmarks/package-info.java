/** What is fast and what it costs: JMH classes, each with its run command, and small mains. */
@NullMarked
package dev.laurel.benchmarks;

import org.jspecify.annotations.NullMarked;
