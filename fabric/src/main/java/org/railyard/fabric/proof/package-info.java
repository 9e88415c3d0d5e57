/**
 * Shows that tables are free of credit loops, or a loop with the flows that make it, for tables of any origin (spec
 * 32); needs model and route.
 */
@NullMarked
package org.railyard.fabric.proof;

import org.jspecify.annotations.NullMarked;
