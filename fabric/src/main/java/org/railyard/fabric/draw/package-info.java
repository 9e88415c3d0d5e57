/** Pictures of tori as SVG text: switches and cables in their places, failures, a path, a credit loop, a multicast tree, link load; uses model, torus, route and proof. */
@NullMarked
package org.railyard.fabric.draw;

import org.jspecify.annotations.NullMarked;
