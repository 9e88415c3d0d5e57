/** Commands that start a node for one question and stop it again: {@code ping}, {@code discover}. */
@NullMarked
package org.railyard.cli.node;

import org.jspecify.annotations.NullMarked;
