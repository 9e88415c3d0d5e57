/** What pages about a run of the lab are told. */
@NullMarked
package org.railyard.console.lab;

import org.jspecify.annotations.NullMarked;
