/** What the console knows of a torus: places and cables, routes hop by hop, and what failures do. */
@NullMarked
package org.railyard.console.fabric;

import org.jspecify.annotations.NullMarked;
