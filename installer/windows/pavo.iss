; Installs Pavo for the user who starts it, without administrator's rights. Not tested yet; see installer/README.md.
; iscc /DVersion=0.1.0 /DFolder=..\..\build\pavo /DOut=..\..\build pavo.iss
#ifndef Version
  #error Name the version: iscc /DVersion=...
#endif
#ifndef Folder
  #define Folder "..\..\build\pavo"
#endif
#ifndef Out
  #define Out "..\..\build"
#endif

[Setup]
; it names the program for good: never change it
AppId={{6C0F0A55-5A3C-4C29-9C65-3B7C5D7E9A41}
AppName=Pavo
AppVersion={#Version}
AppVerName=Pavo {#Version}
AppPublisher=The Pavo developers
VersionInfoVersion={#Version}
WizardStyle=modern
PrivilegesRequired=lowest
DefaultDirName={autopf}\Pavo
DefaultGroupName=Pavo
DisableProgramGroupPage=yes
DisableDirPage=auto
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
OutputDir={#Out}
OutputBaseFilename=pavo-{#Version}-setup
Compression=lzma2/max
SolidCompression=yes
LicenseFile={#Folder}\_internal\licences\Pavo.txt
UninstallDisplayIcon={app}\pavo.exe
SetupIconFile={#Out}\pavo.ico
ChangesAssociations=yes
CloseApplications=yes

[Languages]
Name: "en"; MessagesFile: "compiler:Default.isl"
Name: "de"; MessagesFile: "compiler:Languages\German.isl"
Name: "fr"; MessagesFile: "compiler:Languages\French.isl"
Name: "nl"; MessagesFile: "compiler:Languages\Dutch.isl"
Name: "it"; MessagesFile: "compiler:Languages\Italian.isl"
Name: "es"; MessagesFile: "compiler:Languages\Spanish.isl"

[Tasks]
Name: "desktopicon"; Description: "{cm:CreateDesktopIcon}"; Flags: unchecked

[InstallDelete]
; libraries of an earlier version must not be found by this one
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "{#Folder}\*"; DestDir: "{app}"; Flags: ignoreversion recursesubdirs createallsubdirs

[Icons]
Name: "{group}\Pavo"; Filename: "{app}\pavo.exe"; AppUserModelID: "org.pavo.Pavo"
Name: "{autodesktop}\Pavo"; Filename: "{app}\pavo.exe"; Tasks: desktopicon; AppUserModelID: "org.pavo.Pavo"

[Registry]
Root: HKA; Subkey: "Software\Classes\.pavo\OpenWithProgids"; ValueType: string; ValueName: "Pavo.Session"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Pavo.Session"; ValueType: string; ValueName: ""; ValueData: "Pavo session"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Pavo.Session\DefaultIcon"; ValueType: string; ValueName: ""; ValueData: "{app}\pavo.exe,0"
Root: HKA; Subkey: "Software\Classes\Pavo.Session\shell\open\command"; ValueType: string; ValueName: ""; ValueData: """{app}\pavo.exe"" ""%1"""

[Run]
Filename: "{app}\pavo.exe"; Description: "{cm:LaunchProgram,Pavo}"; Flags: nowait postinstall skipifsilent

[UninstallDelete]
; kernels compiled on this computer; settings and sessions are the user's and stay
Type: filesandordirs; Name: "{localappdata}\pavo\Cache"
