/** Reports: one page of HTML with plots, tables and the command that made it, which needs no other file. */
@NullMarked
package org.railyard.base.report;

import org.jspecify.annotations.NullMarked;
