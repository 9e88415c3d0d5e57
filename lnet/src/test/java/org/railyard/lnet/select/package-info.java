/** Selection, criterion by criterion and case by case, on a model without a node around it. */
@NullMarked
package org.railyard.lnet.select;

import org.jspecify.annotations.NullMarked;
