/**
 * Routes a fabric, proves that the tables are free of credit loops, and has the proof verified: the one use case of
 * commands, simulations and subnet managers.
 */
@NullMarked
package org.railyard.fabric.proven;

import org.jspecify.annotations.NullMarked;
