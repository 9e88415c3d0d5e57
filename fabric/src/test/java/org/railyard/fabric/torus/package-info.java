/**
 * Tests of the torus engine: vectors and figures of the specification, surveys of failures, and what OpenSM did with
 * the same fabrics.
 */
@NullMarked
package org.railyard.fabric.torus;

import org.jspecify.annotations.NullMarked;
