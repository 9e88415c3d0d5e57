/** The server of the console: who may come in, files, answers and events. Knows nothing of what is shown. */
@NullMarked
package org.railyard.console.web;

import org.jspecify.annotations.NullMarked;
