/** The subnet as it was found and as it is managed: one immutable snapshot after each sweep. */
@NullMarked
package org.railyard.sm.model;

import org.jspecify.annotations.NullMarked;
