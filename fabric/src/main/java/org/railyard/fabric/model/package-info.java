/** What a fabric is: nodes, ports, cables and LIDs in compact immutable arrays. */
@NullMarked
package org.railyard.fabric.model;

import org.jspecify.annotations.NullMarked;
