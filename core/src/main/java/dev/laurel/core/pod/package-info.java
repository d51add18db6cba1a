/**
 * Pods and their schemas: how the events of many producers become one kind. Start with {@link
 * dev.laurel.core.pod.PodDirectory#transform}.
 */
@NullMarked
package dev.laurel.core.pod;

import org.jspecify.annotations.NullMarked;
