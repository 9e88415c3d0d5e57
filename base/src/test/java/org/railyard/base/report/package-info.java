/** What reports look like. */
@NullMarked
package org.railyard.base.report;

import org.jspecify.annotations.NullMarked;
