/** Figures of a node for those who watch it, in the text format of Prometheus. Only reads. */
@NullMarked
package org.railyard.node.metrics;

import org.jspecify.annotations.NullMarked;
