/**
 * Pictures of fabrics as SVG text, tori and others: switches and cables in their places, failures, a path, a credit
 * loop, a multicast tree, link load.
 */
@NullMarked
package org.railyard.fabric.draw;

import org.jspecify.annotations.NullMarked;
