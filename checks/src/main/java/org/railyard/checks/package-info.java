/** Rules of the house and the requirement matrix, checked over all modules. */
@NullMarked
package org.railyard.checks;

import org.jspecify.annotations.NullMarked;
