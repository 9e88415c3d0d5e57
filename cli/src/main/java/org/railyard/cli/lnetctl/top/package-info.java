/**
 * The screen of {@code lnetctl top}: readings of a node, rates made of two of them, and lines drawn from these without
 * looking at anything else. Only {@link org.railyard.cli.lnetctl.top.LiveScreen} knows a terminal.
 */
@NullMarked
package org.railyard.cli.lnetctl.top;

import org.jspecify.annotations.NullMarked;
