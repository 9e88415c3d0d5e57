/**
 * What a console knows of its session: nodes, groups, batches, and how it asks many nodes at once (spec 03 §6). {@link
 * org.railyard.selftest.Console} is what programs use.
 */
@NullMarked
package org.railyard.selftest.console;

import org.jspecify.annotations.NullMarked;
