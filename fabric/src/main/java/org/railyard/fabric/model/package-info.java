/** What a fabric is: nodes, ports, cables and LIDs in compact immutable arrays; touches nothing, and routing engines and formats are next door. */
@NullMarked
package org.railyard.fabric.model;

import org.jspecify.annotations.NullMarked;
