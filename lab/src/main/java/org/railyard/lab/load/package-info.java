/**
 * Applications of a run: they ask stacks for PUTs and GETs and serve them; what they see is told to watchers, judged
 * elsewhere. Uses {@code org.railyard.lab.observe}.
 */
@NullMarked
package org.railyard.lab.load;

import org.jspecify.annotations.NullMarked;
