/** Tests of what is told to those who watch. */
@NullMarked
package org.railyard.node.metrics;

import org.jspecify.annotations.NullMarked;
