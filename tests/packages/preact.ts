/** Imported so that it is fetched and locked; the console's page has it in its bundle. */
import "npm:preact@11.2.0";
import "npm:preact@11.2.0/hooks";
import "npm:preact@11.2.0/jsx-runtime";
