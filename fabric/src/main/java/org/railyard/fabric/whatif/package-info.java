/**
 * What becomes of a routed fabric when switches or cables fail: sets of them, and how the rest is routed, proved and
 * loaded.
 */
@NullMarked
package org.railyard.fabric.whatif;

import org.jspecify.annotations.NullMarked;
