/**
 * What given tables do: one path hop by hop with reasons, the load of every cable, the differences between two
 * routings.
 */
@NullMarked
package org.railyard.fabric.analysis;

import org.jspecify.annotations.NullMarked;
