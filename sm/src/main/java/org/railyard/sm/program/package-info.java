/**
 * What is written into a subnet, and in which order: phases of Sets, each with its reason, and what carries them out or
 * only tells them (spec 41 §2 to §5).
 */
@NullMarked
package org.railyard.sm.program;

import org.jspecify.annotations.NullMarked;
